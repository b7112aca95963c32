// What Python's APIs do to determinism. One row, one fact; names as imports resolve them.

import type { CatalogRow } from '../frontend.ts'
import { pauses } from '../pauses.ts'
import { table } from '../table.ts'

/** `timedelta` counts days when given by place; the parser puts the name of its one argument behind its own. */
export const DURATIONS: Readonly<Record<string, number>> = {
  'timeout=': 1000, 'httpx.Timeout': 1000,
  'datetime.timedelta': 86_400_000, 'datetime.timedelta.days': 86_400_000, 'datetime.timedelta.weeks': 604_800_000, 'datetime.timedelta.hours': 3_600_000,
  'datetime.timedelta.minutes': 60_000, 'datetime.timedelta.seconds': 1000, 'datetime.timedelta.milliseconds': 1, 'datetime.timedelta.microseconds': 0.001,
}

/** Functions that make a thing of a known type; a capitalised name makes its own. */
export const MAKERS: Readonly<Record<string, string>> = table({
  'asyncio.get_event_loop': 'asyncio.AbstractEventLoop', 'asyncio.get_running_loop': 'asyncio.AbstractEventLoop', 'asyncio.new_event_loop': 'asyncio.AbstractEventLoop',
  'tornado.ioloop.IOLoop.current': 'tornado.ioloop.IOLoop', 'tornado.ioloop.IOLoop.instance': 'tornado.ioloop.IOLoop',
  'logging.getLogger': 'logging.Logger', 'multiprocessing.Manager': 'multiprocessing.Manager', 'socket.create_server': 'socket.socket', 'socket.create_connection': 'socket.socket',
})

export const CATALOG: readonly CatalogRow[] = [
  // clock
  { name: ['time.time', 'time.time_ns', 'datetime.datetime.utcnow', 'datetime.datetime.today', 'datetime.datetime.now', 'datetime.date.today'], effect: 'clock' },
  { name: ['time.ctime', 'time.localtime', 'time.gmtime', 'time.asctime', 'email.utils.formatdate', 'email.utils.localtime', 'django.utils.http.http_date', 'werkzeug.http.http_date'], effect: 'clock', args: 0 },
  { name: 'email.utils.formatdate', effect: 'clock', with: 'usegmt', args: 1 },
  { name: 'email.utils.formatdate', effect: 'clock', with: 'localtime', args: 1 },
  { name: 'time.strftime', effect: 'clock', args: 1 },
  { name: ['django.utils.timezone.now', 'django.utils.timezone.localdate', 'django.utils.timezone.localtime', 'pendulum.now', 'pendulum.today', 'pendulum.tomorrow', 'pendulum.yesterday'], effect: 'clock' },
  { name: ['arrow.now', 'arrow.utcnow', 'arrow.Arrow.now', 'arrow.Arrow.utcnow', 'homeassistant.util.dt.now'], effect: 'clock' },
  // Whoever calls a function so means the clock: `timezone.utcnow()`, `timeutils.utcnow()`.
  { name: ['…utcnow', '…utc_now', '…now_utc', '…aware_utcnow'], effect: 'clock', args: 0 },
  { name: ['pandas.Timestamp.now', 'pandas.Timestamp.today', 'pandas.Timestamp.utcnow'], effect: 'clock' },
  // the host's time zone and locale: see flow/zones/zone.ts for the notes; a row with one argument is one without a zone
  { name: ['datetime.datetime.fromtimestamp', 'datetime.date.fromtimestamp', 'pandas.Timestamp.fromtimestamp', 'time.localtime', 'time.ctime'], effect: 'local-zone', args: 1, note: 'to' },
  { name: ['datetime.datetime.astimezone', '?.astimezone', 'email.utils.localtime'], effect: 'local-zone', args: 0, note: 'to' },
  { name: 'email.utils.formatdate', effect: 'local-zone', with: 'localtime', note: 'to' },
  { name: 'time.mktime', effect: 'local-zone', note: 'from' },
  { name: ['datetime.datetime.timestamp', '?.timestamp'], effect: 'local-zone', args: 0, note: 'naive' },
  { name: ['tzlocal.get_localzone', 'dateutil.tz.tzlocal', 'dateutil.tz.tz.tzlocal'], effect: 'local-zone', note: 'zone' },
  { name: ['locale.currency', 'locale.format_string', 'locale.str', 'locale.strcoll', 'locale.nl_langinfo', 'babel.default_locale'], effect: 'locale' },
  // monotonic
  { name: ['time.monotonic', 'time.monotonic_ns', 'time.perf_counter', 'time.perf_counter_ns', 'time.process_time', 'time.process_time_ns', 'time.thread_time', 'timeit.default_timer'], effect: 'mono' },
  { name: ['distributed.metrics.time', 'distributed.metrics.monotonic'], effect: 'mono' },
  { name: ['asyncio.AbstractEventLoop.time', 'tornado.ioloop.IOLoop.time', 'trio.current_time', 'anyio.current_time'], effect: 'mono' },
  { name: 'twisted.internet.reactor.seconds', effect: 'clock' },
  { name: ['timeit.timeit', 'timeit.repeat'], effect: 'elapsed' },
  // sleep
  { name: ['time.sleep', 'os.sched_yield', 'eventlet.sleep', 'eventlet.greenthread.sleep', 'gevent.sleep'], effect: 'yield' },
  { name: ['time.sleep', 'asyncio.sleep', 'trio.sleep', 'anyio.sleep', 'tornado.gen.sleep', 'curio.sleep'], effect: 'sleep', ms: { arg: 0, unit: 's' } },
  // Without a number they only let the others go on.
  { name: ['gevent.sleep', 'eventlet.sleep', 'eventlet.greenthread.sleep'], effect: 'sleep', args: [1, 2], ms: { arg: 0, unit: 's' } },
  { name: ['pygame.time.wait', 'pygame.time.delay'], effect: 'sleep', ms: { arg: 0, unit: 'ms' } },
  { name: '…qWait', effect: 'sleep', args: 1, ms: { arg: 0, unit: 'ms' } },
  // Told by what is waited for: an event that nobody else knows, no socket at all, the program of that name.
  { name: ['threading.Event().wait', 'subprocess(sleep)'], effect: 'sleep', args: 1, ms: { arg: 0, unit: 's' } },
  { name: 'select.select(nothing)', effect: 'sleep', ms: { arg: 3, unit: 's' } },
  // What stops the loop that is run next does nothing but let it run for so long.
  { name: 'call_later(stop)', effect: 'sleep', ms: { arg: 0, unit: 's' } },
  // Without a function to call, deferLater only waits.
  { name: 'twisted.internet.task.deferLater', effect: 'sleep', args: 2, ms: { arg: 1, unit: 's' } },
  { name: '…sleep', effect: 'sleep', args: 1, ms: { arg: 0, unit: 's' } },
  { name: '?.wait_for_timeout', effect: 'sleep', ms: { arg: 0, unit: 'ms' } },
  { name: ['?.qWait', 'qtbot.wait'], effect: 'sleep', args: 1, ms: { arg: 0, unit: 'ms' } },
  { name: ['?.wait', 'self.wait'], effect: 'sleep', args: 1, ms: { arg: 0, unit: 's' }, note: 'pause by name, methods too, of testers' },
  { name: 'twisted.internet.task.deferLater', effect: 'sleep', args: 3, ms: { arg: 1, unit: 's' } },
  ...pauses({ styles: ['snake', 'camel'], unit: 's', methods: true, without: ['delay'] }),
  // random
  { name: ['random.random', 'random.randint', 'random.randrange', 'random.choice', 'random.choices', 'random.shuffle', 'random.sample', 'random.uniform', 'random.gauss', 'random.normalvariate', 'random.betavariate', 'random.expovariate', 'random.triangular', 'random.getrandbits', 'random.randbytes', 'random.vonmisesvariate', 'random.lognormvariate', 'random.paretovariate', 'random.weibullvariate', 'random.gammavariate'], effect: 'random' },
  { name: ['random.Random', 'numpy.random.default_rng', 'numpy.random.RandomState', 'numpy.random.SeedSequence'], effect: 'random', args: 0 },
  { name: ['random.SystemRandom', 'os.urandom'], effect: 'random' },
  { name: ['secrets.token_hex', 'secrets.token_bytes', 'secrets.token_urlsafe', 'secrets.choice', 'secrets.randbelow', 'secrets.randbits', 'uuid.uuid1', 'uuid.uuid4'], effect: 'random' },
  { name: ['uuid.uuid1', 'uuid.uuid4', 'secrets.token_hex', 'secrets.token_urlsafe', 'secrets.token_bytes', 'os.urandom'], effect: 'unique-id' },
  { name: ['numpy.random.rand', 'numpy.random.randn', 'numpy.random.randint', 'numpy.random.random', 'numpy.random.choice', 'numpy.random.normal', 'numpy.random.uniform', 'numpy.random.permutation', 'numpy.random.shuffle', 'numpy.random.random_sample', 'numpy.random.standard_normal', 'numpy.random.poisson', 'numpy.random.binomial', 'numpy.random.exponential', 'numpy.random.bytes', 'numpy.testing.rand', ...['ranf', 'sample', 'random_integers', 'beta', 'gamma', 'chisquare', 'dirichlet', 'geometric', 'gumbel', 'laplace', 'logistic', 'lognormal', 'multinomial', 'multivariate_normal', 'negative_binomial', 'pareto', 'rayleigh', 'standard_cauchy', 'standard_exponential', 'standard_gamma', 'standard_t', 'triangular', 'vonmises', 'wald', 'weibull', 'zipf', 'permuted'].map(d => `numpy.random.${d}`)], effect: 'random' },
  { name: ['torch.rand', 'torch.randn', 'torch.randint', 'torch.randperm', 'torch.rand_like', 'torch.randn_like', 'torch.normal', 'torch.multinomial', 'torch.bernoulli', 'torch.nn.init.normal_', 'torch.nn.init.uniform_', 'tensorflow.random.normal', 'tensorflow.random.uniform', 'tensorflow.random.shuffle', 'tensorflow.random.truncated_normal', 'tensorflow.random_normal', 'tensorflow.random_uniform', 'tf.random.normal', 'tf.random.uniform', 'cupy.random.rand', 'cupy.random.randn', 'cupy.random.randint', 'mxnet.nd.random.uniform', 'mxnet.nd.random.normal'], effect: 'random' },
  { name: 'faker.Faker', effect: 'random' },
  { name: ['numpy.random.MT19937', 'numpy.random.PCG64', 'numpy.random.Philox', 'numpy.random.SFC64'], effect: 'random', args: 0 },
  { name: ['dask.array.random.*'], effect: 'random' },
  { name: [...['norm', 'uniform', 'expon', 'gamma', 'beta', 'poisson', 'binom', 'bernoulli', 'randint', 't', 'chi2', 'f', 'lognorm', 'multivariate_normal', 'special_ortho_group', 'ortho_group', 'unitary_group', 'random_correlation', 'wishart', 'invwishart', 'dirichlet', 'pareto', 'weibull_min', 'genextreme', 'laplace', 'logistic', 'cauchy', 'truncnorm', 'skewnorm', 'nbinom', 'geom', 'gumbel_r', 'rayleigh', 'vonmises'].map(d => `scipy.stats.${d}.rvs`), '?.rvs', 'scipy.sparse.rand', 'scipy.sparse.random', 'scipy.sparse.random_array', 'pandas.DataFrame.sample', 'pandas.Series.sample', 'scipy.optimize.differential_evolution', 'scipy.optimize.dual_annealing', 'scipy.optimize.basinhopping'], effect: 'random', with: '!random_state' },
  { name: ['gnp_random_graph', 'fast_gnp_random_graph', 'gnm_random_graph', 'dense_gnm_random_graph', 'erdos_renyi_graph', 'binomial_graph', 'barabasi_albert_graph', 'watts_strogatz_graph', 'connected_watts_strogatz_graph', 'newman_watts_strogatz_graph', 'random_regular_graph', 'random_geometric_graph', 'powerlaw_cluster_graph', 'random_tree', 'random_labeled_tree', 'random_lobster', 'scale_free_graph', 'stochastic_block_model', 'random_partition_graph', 'planted_partition_graph', 'gaussian_random_partition_graph', 'random_powerlaw_tree', 'gnr_graph', 'gn_graph', 'gnc_graph', 'configuration_model', 'double_edge_swap'].map(g => `networkx.${g}`), effect: 'random', with: '!seed' },
  { name: ['igraph.Graph.Erdos_Renyi', 'igraph.Graph.Barabasi', 'igraph.Graph.Watts_Strogatz', 'igraph.Graph.GRG', 'igraph.Graph.Tree_Game', 'factory.fuzzy.*', 'mimesis.*', 'cupy.random.*', 'paddle.rand', 'paddle.randn', 'paddle.randint', 'paddle.uniform', 'keras.backend.random_normal', 'keras.backend.random_uniform', 'keras.random.normal', 'keras.random.uniform', 'tensorflow.keras.backend.random_normal', 'tensorflow.keras.backend.random_uniform', 'tensorflow.random.categorical', 'tensorflow.random.gamma', 'tensorflow.random.poisson', 'torch.randint_like', 'torch.poisson', 'torch.utils.data.random_split', 'mxnet.np.random.*', 'mxnet.random.*'], effect: 'random' },
  { name: ['skimage.util.random_noise'], effect: 'random', with: '!seed' },
  // models and their data: chance decides how good they are
  { name: ['sklearn.model_selection.train_test_split', 'sklearn.model_selection.ShuffleSplit', 'sklearn.model_selection.StratifiedShuffleSplit', ...['make_classification', 'make_regression', 'make_blobs', 'make_moons', 'make_circles', 'make_multilabel_classification', 'make_friedman1', 'make_low_rank_matrix', 'make_sparse_uncorrelated', 'make_spd_matrix', 'make_swiss_roll', 'make_gaussian_quantiles', 'make_hastie_10_2'].map(m => `sklearn.datasets.${m}`), ...['RandomForestClassifier', 'RandomForestRegressor', 'ExtraTreesClassifier', 'ExtraTreesRegressor', 'BaggingClassifier', 'IsolationForest'].map(m => `sklearn.ensemble.${m}`), 'sklearn.neural_network.MLPClassifier', 'sklearn.neural_network.MLPRegressor', 'sklearn.cluster.KMeans', 'sklearn.cluster.MiniBatchKMeans', 'sklearn.linear_model.SGDClassifier', 'sklearn.mixture.GaussianMixture', 'sklearn.linear_model.SGDRegressor', 'sklearn.manifold.TSNE', 'sklearn.utils.shuffle', 'sklearn.utils.resample', 'sklearn.ensemble.GradientBoostingClassifier', 'sklearn.ensemble.GradientBoostingRegressor', 'sklearn.model_selection.RandomizedSearchCV'], effect: 'random', with: '!random_state' },
  // seeds
  { name: ['random.seed', 'numpy.random.seed', 'torch.manual_seed', 'torch.cuda.manual_seed_all', 'tensorflow.random.set_seed', 'faker.Faker.seed'], effect: 'seed', arg: 0 },
  { name: ['random.Random', 'numpy.random.default_rng', 'numpy.random.RandomState', 'numpy.random.SeedSequence'], effect: 'seed', arg: 0, args: [1, 2] },
  { name: ['?.seed', '?.seed_instance', '?.manual_seed', 'faker.Faker.seed_instance'], effect: 'seed', arg: 0 },
  { name: '…sample', effect: 'random', with: 'frac' },
  { name: '…sample', effect: 'seed', arg: 'random_state', with: 'random_state' },
  // order
  { name: ['set', 'frozenset'], effect: 'unordered' },
  { name: ['asyncio.wait', 'concurrent.futures.wait'], effect: 'unordered', note: 'bag' },
  { name: ['os.listdir', 'os.scandir', 'os.walk', 'glob.glob', 'glob.iglob', '?.iterdir', '?.rglob', '?.glob', 'pathlib.Path.iterdir', 'pathlib.Path.glob', 'pathlib.Path.rglob'], effect: 'fs-order' },
  { name: ['sorted', '?.sort'], effect: 'sort' },
  { name: ['?.fetchall', '?.fetchmany', 'cursor.fetchall', 'cur.fetchall', 'sqlite3.Cursor.fetchall', 'sqlite3.Connection.execute', '?.all', '?.filter', '?.exclude', '?.values_list'], effect: 'rows' },
  { name: ['session.query', 'db.session.query', 'self.session.query'], effect: 'rows', note: 'built' },
  { name: ['sqlalchemy.select', 'sqlalchemy.future.select', 'sqlmodel.select'], effect: 'rows', note: 'statement' },
  { name: ['id', 'hash'], effect: 'identity' },
  // network
  { name: ['requests.get', 'requests.post', 'requests.put', 'requests.delete', 'requests.head', 'requests.patch', 'requests.request', 'httpx.get', 'httpx.post', 'httpx.request', 'urllib.request.urlopen', 'urllib.request.urlretrieve', 'socket.create_connection', 'socket.getaddrinfo', 'socket.gethostbyname', 'smtplib.SMTP', 'boto3.client', 'boto3.resource', 'paramiko.SSHClient'], effect: 'network', arg: 0 },
  // ports
  { name: ['socket.socket.bind', '?.bind', '?.listenTCP', '?.listenUDP', '?.listenSSL', 'twisted.internet.reactor.listenTCP', 'twisted.internet.reactor.listenUDP', '?.add_insecure_port', '?.add_secure_port'], effect: 'bind-port', arg: 0 },
  { name: ['http.server.HTTPServer', 'http.server.ThreadingHTTPServer', 'socketserver.TCPServer', 'socketserver.UDPServer', 'socketserver.ThreadingTCPServer', 'xmlrpc.server.SimpleXMLRPCServer'], effect: 'bind-port', arg: 0 },
  { name: ['pandas.read_csv', 'pandas.read_json', 'pandas.read_html', 'pandas.read_table', 'pandas.read_excel', 'pandas.read_parquet', 'feedparser.parse', 'skimage.io.imread', 'wget.download'], effect: 'network', arg: 0 },
  { name: ['wsgiref.simple_server.make_server'], effect: 'bind-port', arg: 1 },
  { name: ['aiohttp.web.TCPSite', 'websockets.serve', 'websockets.asyncio.server.serve'], effect: 'bind-port', arg: 2, with: '!port' },
  { name: ['aiohttp.web.TCPSite', 'websockets.serve', 'websockets.asyncio.server.serve', 'hypercorn.config.Config', 'waitress.serve', 'gevent.pywsgi.WSGIServer', 'werkzeug.serving.run_simple', 'werkzeug.serving.make_server', 'prometheus_client.start_http_server'], effect: 'bind-port', arg: 'port', with: 'port' },
  { name: ['uvicorn.run', 'uvicorn.Config', 'asyncio.start_server', 'aiohttp.web.run_app', '?.create_server', '?.start_server', '?.run', 'asyncio.AbstractEventLoop.create_server'], effect: 'bind-port', arg: 'port', with: 'port' },
  { name: ['asyncio.start_server', '?.create_server', 'asyncio.AbstractEventLoop.create_server'], effect: 'bind-port', arg: 2, with: '!port' },
  { name: ['tornado.httpserver.HTTPServer.listen', 'tornado.web.Application.listen', 'tornado.tcpserver.TCPServer.listen', 'tornado.netutil.bind_sockets', 'socket.create_server'], effect: 'bind-port', arg: 0 },
  { name: ['portpicker.pick_unused_port', 'pytest_asyncio.plugin.unused_port', 'port_for.select_random', 'test.support.socket_helper.find_unused_port', 'test.support.find_unused_port'], effect: 'free-port' },
  // things by name
  { name: ['testcontainers.core.container.DockerContainer', 'testcontainers.postgres.PostgresContainer', 'testcontainers.redis.RedisContainer', 'testcontainers.mysql.MySqlContainer', 'testcontainers.mongodb.MongoDbContainer', 'testcontainers.kafka.KafkaContainer'], effect: 'external', arg: 0, what: 'image' },
  { name: ['?.containers.run', 'docker.from_env.containers.run'], effect: 'external', arg: 0, what: 'image' },
  // the host
  { name: ['os.getcwd', 'pathlib.Path.cwd'], effect: 'cwd-read' },
  { name: ['pathlib.Path.home', 'os.path.expanduser'], effect: 'home-read' },
  { name: ['os.cpu_count', 'multiprocessing.cpu_count', 'psutil.cpu_count', 'os.process_cpu_count'], effect: 'ambient', what: 'the number of processors' },
  { name: ['socket.gethostname', 'socket.getfqdn', 'platform.node', 'getpass.getuser', 'os.getlogin'], effect: 'ambient', what: 'a name of the host' },
  // process-wide state
  { name: ['os.environ.update', 'os.environ.setdefault', 'os.environ.pop', 'os.environ.clear', 'os.putenv', 'os.unsetenv'], effect: 'env-write' },
  { name: ['os.chdir', 'os.fchdir'], effect: 'cwd-write' },
  { name: ['os.umask', 'signal.signal', 'socket.setdefaulttimeout', 'importlib.reload', 'logging.disable', 'sys.setrecursionlimit', 'gc.disable'], effect: 'global-write' },
  { name: ['time.tzset', 'django.utils.timezone.activate'], effect: 'global-write', what: 'time zone' },
  { name: ['django.utils.translation.activate', 'pendulum.set_locale'], effect: 'global-write', what: 'locale' },
  { name: 'locale.setlocale', effect: 'global-write', what: 'locale', args: 2 },
  { name: ['unittest.mock.patch', 'unittest.mock.patch.object', 'unittest.mock.patch.dict', 'unittest.mock.patch.multiple', 'mock.patch', 'mock.patch.object', 'mock.patch.dict', 'mock.patch.multiple'], effect: 'mock', note: 'once started' },
  { name: ['os.getpid', 'os.getppid', 'threading.get_ident'], effect: 'process-id' },
  // what the process takes up
  { name: ['tracemalloc.get_traced_memory', 'resource.getrusage', 'threading.active_count', 'threading.activeCount', 'threading.enumerate', 'gc.get_objects', 'gc.get_count', 'psutil.cpu_percent', ...['memory_info', 'memory_full_info', 'num_threads', 'num_fds', 'cpu_percent'].map(m => `psutil.Process.${m}`)], effect: 'usage' },
  // names
  { name: ['sqlite3.connect', 'psycopg2.connect', 'sqlalchemy.create_engine', 'asyncpg.connect', 'pymongo.MongoClient', 'duckdb.connect', '?.create_database', '?.createdb', '?.get_database'], effect: 'name-resource', arg: 0, what: 'database' },
  { name: ['?.create_table', '?.create_schema', '?.create_collection', '?.create_index'], effect: 'name-resource', arg: 0, what: 'table' },
  { name: ['?.create_topic', '?.create_topics', '?.create_queue', '?.create_bucket', '?.queue_declare', '?.exchange_declare'], effect: 'name-resource', arg: 0, what: 'topic, queue or bucket' },
  { name: ['open', 'io.open', 'os.mkdir', 'os.makedirs', 'os.mkfifo', 'os.open', 'shutil.copytree', 'zipfile.ZipFile', 'tarfile.open'], effect: 'name-resource', arg: 0, what: 'file' },
  { name: ['?.mkdir', '?.write_text', '?.write_bytes', '?.touch', 'pathlib.Path.mkdir', 'pathlib.Path.write_text', 'pathlib.Path.write_bytes', 'pathlib.Path.touch'], effect: 'name-resource', arg: -1, what: 'file' },
  { name: 'multiprocessing.shared_memory.SharedMemory', effect: 'name-resource', arg: 'name', what: 'shared memory' },
  // limits
  { name: ['asyncio.wait_for'], effect: 'timeout', ms: { arg: 1, unit: 's' }, with: '!timeout' },
  { name: ['asyncio.wait_for', 'asyncio.wait'], effect: 'timeout', ms: { arg: 'timeout', unit: 's' }, with: 'timeout' },
  { name: ['tornado.gen.with_timeout'], effect: 'timeout', ms: { arg: 0, unit: 's' } },
  { name: ['asyncio.timeout', 'async_timeout.timeout', 'anyio.fail_after', 'anyio.move_on_after', 'trio.fail_after', 'trio.move_on_after'], effect: 'timeout', ms: { arg: 0, unit: 's' } },
  // Qt and pages count in milliseconds.
  { name: ['waitSignal', 'waitSignals', 'waitUntil', 'waitCallback', 'waitActive', 'waitExposed', 'wait_signal', 'wait_signals', 'wait_until', 'wait_callback', 'wait_active', 'wait_exposed'].map(w => `qtbot.${w}`), effect: 'timeout', with: 'timeout', ms: { arg: 'timeout', unit: 'ms' } },
  { name: ['to_be_visible', 'to_be_hidden', 'to_be_enabled', 'to_be_disabled', 'to_be_checked', 'to_be_attached', 'to_be_focused', 'to_have_text', 'to_contain_text', 'to_have_count', 'to_have_value', 'to_have_url', 'to_have_title', 'to_have_attribute', 'to_have_class', 'wait_for_selector', 'wait_for_url', 'wait_for_load_state', 'wait_for_function', 'expect_request', 'expect_response', 'expect_popup', 'expect_download', 'expect_navigation'].map(w => `?.${w}`), effect: 'timeout', with: 'timeout', ms: { arg: 'timeout', unit: 'ms' } },
  { name: '*', effect: 'timeout', with: 'timeout', ms: { arg: 'timeout', unit: 's' } },
  // waiting
  { name: ['threading.Event.wait', 'threading.Condition.wait', 'threading.Condition.wait_for', 'multiprocessing.Event.wait'], effect: 'sync' },
  { name: ['threading.Event.wait', 'multiprocessing.Event.wait', 'threading.Condition.wait'], effect: 'sync-timed', args: 1, ms: { arg: 0, unit: 's' }, with: '!timeout', note: 'is_set|isSet' },
  { name: ['threading.Event.wait', 'multiprocessing.Event.wait', 'threading.Condition.wait', 'threading.Condition.wait_for'], effect: 'sync-timed', with: 'timeout', ms: { arg: 'timeout', unit: 's' }, note: 'is_set|isSet' },
  { name: 'tornado.locks.Event.wait', effect: 'sync-timed', args: 1, ms: { arg: 0, unit: 's' } },
  { name: 'threading.Condition.wait_for', effect: 'sync-timed', args: 2, ms: { arg: 1, unit: 's' }, with: '!timeout' },
  { name: ['threading.Thread.join', 'multiprocessing.Process.join', 'queue.Queue.get', 'queue.Queue.join', 'multiprocessing.Queue.get', 'threading.Barrier.wait', 'concurrent.futures.wait', 'asyncio.Event.wait', 'asyncio.Queue.get', 'asyncio.gather', 'asyncio.wait', 'concurrent.futures.Future.result'], effect: 'sync' },
  { name: ['threading.Thread.join', 'multiprocessing.Process.join'], effect: 'sync-timed', args: 1, with: '!timeout', ms: { arg: 0, unit: 's' }, note: 'is_alive|is_set|isSet' },
  { name: ['threading.Thread.join', 'multiprocessing.Process.join'], effect: 'sync-timed', with: 'timeout', ms: { arg: 'timeout', unit: 's' }, note: 'is_alive|is_set|isSet' },
  { name: ['threading.Lock.acquire', 'threading.Semaphore.acquire', 'threading.RLock.acquire'], effect: 'sync-timed', with: 'timeout', ms: { arg: 'timeout', unit: 's' } },
  { name: ['tenacity.retry', 'tenacity.Retrying', 'backoff.on_exception', 'backoff.on_predicate', 'polling.poll', 'polling2.poll', 'waiting.wait', 'distributed.utils_test.wait_for', 'distributed.utils_test.async_poll_for', 'distributed.utils_test.async_wait_for', 'busypie.wait', '?.wait_until', '?.wait_for_condition', '?.wait_for_selector', '?.wait_for_load_state'], effect: 'wait-until' },
  { name: ['selenium.webdriver.support.ui.WebDriverWait', 'selenium.webdriver.support.wait.WebDriverWait'], effect: 'wait-until', ms: { arg: 1, unit: 's' } },
  { name: ['threading.Timer', '?.call_later', '?.callLater', 'twisted.internet.reactor.callLater'], effect: 'spawn', ms: { arg: 0, unit: 's' }, note: 'timer' },
  { name: ['threading.Thread', 'multiprocessing.Process'], effect: 'spawn', note: 'keeps failures' },
  { name: ['asyncio.create_task', 'asyncio.ensure_future', 'subprocess.Popen', '?.submit', '?.run_in_executor', '?.call_soon', '?.add_callback', '?.start_soon', '?.add_timeout', '?.apply_async', '?.create_task', '?.callInThread', '?.callFromThread', '?.deferToThread', 'twisted.internet.threads.deferToThread', 'asyncio.to_thread', '?.spawn_callback', '?.add_callback_from_signal', '?.call_at', '?.callWhenRunning'], effect: 'spawn' },
  { name: ['unittest.mock.Mock', 'unittest.mock.MagicMock', 'unittest.mock.AsyncMock', 'mock.Mock'], effect: 'stub' },
  // started, and looked at once
  { name: 'subprocess.Popen', effect: 'start' },
  // opened, and to be closed
  { name: ['subprocess.Popen', 'multiprocessing.Process'], effect: 'opens', what: 'process' },
  { name: ['http.server.HTTPServer', 'http.server.ThreadingHTTPServer', 'socketserver.TCPServer', 'socketserver.ThreadingTCPServer', 'wsgiref.simple_server.make_server'], effect: 'opens', what: 'server' },
  { name: 'tempfile.mkdtemp', effect: 'opens', what: 'folder' },
  // ends
  { name: ['sys.exit', 'os._exit', 'os.abort', 'exit', 'quit'], effect: 'exit' },
  // promises: what is lost where nobody waits
  { name: ['asyncio.sleep', 'asyncio.wait_for', 'asyncio.wait', 'asyncio.gather', 'asyncio.to_thread', 'asyncio.Event.wait', 'asyncio.Queue.get', 'asyncio.Queue.put', 'asyncio.Queue.join', 'asyncio.Lock.acquire', 'asyncio.Condition.wait', 'trio.sleep', 'anyio.sleep', 'trio.Event.wait', 'anyio.Event.wait', 'tornado.gen.sleep'], effect: 'promise' },
  { name: ['asyncio.create_task', 'asyncio.ensure_future'], effect: 'promise', note: 'task' },
  // events and pages
  { name: ['?.wait_for_event'], effect: 'wait-event' },
  { name: ['?.is_visible', '?.is_hidden', '?.is_enabled', '?.is_disabled', '?.is_checked', '?.is_editable', '?.inner_text', '?.text_content', '?.inner_html', '?.input_value', '?.all_text_contents', '?.all_inner_texts', '?.is_displayed', '?.is_selected'], effect: 'ui-read' },
  { name: ['concurrent.futures.as_completed', 'asyncio.as_completed', 'distributed.as_completed', 'dask.distributed.as_completed', '?.imap_unordered', 'multiprocessing.Pool.imap_unordered'], effect: 'completion' },
  // cures
  { name: ['unittest.mock.patch of the clock', 'trio.testing.MockClock'], effect: 'fake-clock' },
  { name: ['freezegun.freeze_time', 'time_machine.travel', 'time_machine.move_to', 'freezer.move_to', 'freezer.tick', 'frozen_time.tick', 'twisted.internet.task.Clock'], effect: 'fake-clock' },
  { name: ['responses.activate', 'responses.start', 'responses.add', 'responses.RequestsMock', 'responses.mock.start', 'requests_mock.Mocker', 'requests_mock.mock', 'respx.start', 'respx.MockRouter', 'httpretty.enable', 'httpretty.httprettized', 'pook.on', 'pook.use', 'pook.activate', 'pytest_socket.socket_allow_hosts', 'respx.mock', 'vcr.use_cassette', 'aioresponses.aioresponses', 'moto.mock_aws', 'httpretty.activate', 'pytest_socket.disable_socket'], effect: 'fake-net' },
  { name: ['monkeypatch.setenv', 'monkeypatch.delenv', 'monkeypatch.chdir', 'monkeypatch.setattr', 'unittest.mock.patch.dict', 'unittest.mock.patch', 'unittest.mock.patch.object', 'mocker.patch', 'self.addCleanup', 'contextlib.chdir'], effect: 'restore' },
  { name: ['filelock.FileLock', 'fasteners.InterProcessLock'], effect: 'serialise' },
  { name: ['tempfile.mkdtemp', 'tempfile.mkstemp', 'tempfile.TemporaryDirectory', 'tempfile.NamedTemporaryFile', 'tempfile.TemporaryFile', 'tmp_path_factory.mktemp', 'self.mktemp', 'tmpdir.join', 'tmpdir.mkdir'], effect: 'temp-dir' },
  { name: ['itertools.count', 'next'], effect: 'unique-id' },
  { name: ['hypothesis.given', 'hypothesis.strategies.*', 'schemathesis.*'], effect: 'property' },
  // where values go
  { name: ['print', 'logging.info', 'logging.debug', 'logging.warning', 'logging.error', 'logging.exception', 'warnings.warn', '?.info', '?.debug', '?.warning', '?.error', '?.exception', '?.critical', 'pprint.pprint', 'sys.stdout.write', 'sys.stderr.write'], effect: 'log' },
  { name: ['self.assertMatchSnapshot', 'self.assertMatchesSnapshot', '?.assert_match', 'approvaltests.verify', 'approvaltests.approvals.verify'], effect: 'snapshot', arg: 0 },
  { name: ['pytest.raises', 'pytest.warns', 'self.assertRaises', 'self.assertWarns'], effect: 'inline' },
]
