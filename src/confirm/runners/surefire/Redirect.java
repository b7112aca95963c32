package flakesniff;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Properties;
import org.apache.maven.AbstractMavenLifecycleParticipant;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.model.Build;
import org.apache.maven.model.Plugin;
import org.apache.maven.model.PluginExecution;
import org.apache.maven.project.MavenProject;
import org.codehaus.plexus.util.xml.Xpp3Dom;

/**
 * An extension of Maven for one call of it. Everything that would be written to the modules' target folders goes to -Dflakesniff.build
 * instead, and reports of tests to -Dflakesniff.reports, so that the project is not touched and no old report can be taken for a new one.
 * What the modules' tests are compiled from and against is written to -Dflakesniff.classpath.
 */
public class Redirect extends AbstractMavenLifecycleParticipant {
    @Override
    public void afterProjectsRead(MavenSession session) {
        Properties given = session.getUserProperties();
        for (MavenProject project : session.getProjects()) {
            String name = project.getGroupId() + "." + project.getArtifactId();
            Build build = project.getBuild();
            String from = build.getDirectory();
            String to = given.getProperty("flakesniff.build") + "/" + name;
            build.setDirectory(to);
            build.setOutputDirectory(moved(build.getOutputDirectory(), from, to));
            build.setTestOutputDirectory(moved(build.getTestOutputDirectory(), from, to));
            String reports = given.getProperty("flakesniff.reports");
            for (Plugin plugin : build.getPlugins()) {
                boolean surefire = reports != null && plugin.getArtifactId().equals("maven-surefire-plugin");
                plugin.setConfiguration(changed((Xpp3Dom) plugin.getConfiguration(), from, to, surefire ? reports + "/" + name : null));
                for (PluginExecution execution : plugin.getExecutions()) {
                    execution.setConfiguration(changed((Xpp3Dom) execution.getConfiguration(), from, to, surefire ? reports + "/" + name : null));
                }
            }
        }
    }

    @Override
    public void afterSessionEnd(MavenSession session) {
        String file = session.getUserProperties().getProperty("flakesniff.classpath");
        if (file == null) {
            return;
        }
        Path path = Paths.get(file);
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(path, StandardCharsets.UTF_8))) {
            for (MavenProject project : session.getProjects()) {
                out.println("project\t" + project.getBasedir());
                project.getTestCompileSourceRoots().forEach(root -> out.println("source\t" + root));
                project.getTestClasspathElements().forEach(element -> out.println("classpath\t" + element));
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static String moved(String path, String from, String to) {
        return path != null && path.startsWith(from) ? to + path.substring(from.length()) : path;
    }

    /** The configuration with every mention of the old folder replaced; where `reports` is given, reports go there. */
    private static Xpp3Dom changed(Xpp3Dom configuration, String from, String to, String reports) {
        Xpp3Dom result = configuration == null ? new Xpp3Dom("configuration") : configuration;
        replace(result, from, to);
        if (reports != null) {
            Xpp3Dom directory = result.getChild("reportsDirectory");
            if (directory == null) {
                directory = new Xpp3Dom("reportsDirectory");
                result.addChild(directory);
            }
            directory.setValue(reports);
        }
        return result;
    }

    private static void replace(Xpp3Dom dom, String from, String to) {
        if (dom.getValue() != null && dom.getValue().contains(from)) {
            dom.setValue(dom.getValue().replace(from, to));
        }
        for (Xpp3Dom child : dom.getChildren()) {
            replace(child, from, to);
        }
    }
}
