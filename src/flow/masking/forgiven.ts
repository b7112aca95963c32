// What may fail without a test being the worse for it: tidying up, asking around, being told to stop.

/** Putting away what may already be gone is allowed to fail. */
export const CLEANUP = /^(rm|rmdir|kill|pkill|killall|umount|unmount|fusermount|losetup|userdel|groupdel|pclose|trap)\b|(^|[.:\s_-])(close|closeAll|stop|kill|remove|rm|rmi|rmtree|unlink|delete|destroy|drop|clean\w*|clear|shutdown\w*|terminate|cancel|abort|disconnect|release|teardown|tear_down|unsubscribe|dispose|quit|exit|reset|rollback|join|wait|prune|down|purge|interrupt|end|sleep)(_?\w*)?$/i
const VERBS = /(?:\b|_)(stop|kill|remove|rm|rmi|delete|destroy|uninstall|prune|purge|down|umount|unmount|disconnect|clean\w*|reset|logout|deprovision|unset|teardown|revert)(?:\b|_)/i
const PROBE = /^(command -v|type|which|hash|let|\(\(|read|grep|wait|true|test|\[|cat|ls|ps|df|head|tail|diff|echo|printf|journalctl|dmesg|lsof|netstat|ss|env|id|uname|(docker|podman|kubectl|nerdctl) (logs|ps|inspect|describe|get|images|info|version|events|top|stats))\b/
/** What a language throws to say «stop»: ignoring it hides no failure. */
const SIGNALS = /Interrupted|Cancel|StopIteration|GeneratorExit|Closed|NotFound|NoSuch|FileExists|AlreadyExists|ImportError|ProcessLookup|KeyboardInterrupt|EOF|BrokenPipe|ConnectionReset/

/** Asks whether something is there, or shows it: no answer is an answer. */
export const isProbe = (command: string): boolean => PROBE.test(command)
export const isSignal = (how: string): boolean => SIGNALS.test(how)
/** One of the first words of the command says so. */
export const putsAwayInShell = (command: string): boolean => VERBS.test(command.split(/\s+/).slice(0, 4).join(' '))
