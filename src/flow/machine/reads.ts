// Calls that read a file or a folder by its path, and where they take it.

import type { Call, Value } from '../../facts/facts.ts'

const BY_ARGUMENT = new RegExp(`^(${
  [
    '(fs|fs/promises|fs-extra|graceful-fs)\\.(promises\\.)?(readFile|readdir|readJson|copyFile|cp|opendir|copy)(Sync)?',
    '(fs|fs-extra|graceful-fs)\\.createReadStream',
    'Deno\\.(readTextFile|readFile|readDir)(Sync)?',
    'Bun\\.file',
    'os\\.(ReadFile|Open|ReadDir|DirFS)',
    'io/ioutil\\.(ReadFile|ReadDir)',
    'path/filepath\\.(Walk|WalkDir)',
    'java\\.io\\.(FileReader|FileInputStream)\\.new',
    'java\\.nio\\.file\\.Files\\.(read\\w+|lines|newBufferedReader|newInputStream|newDirectoryStream|list|walk|copy)',
    '(std|tokio|fs_err)::fs::(read|read_to_string|read_dir|copy)',
    '(std|tokio|fs_err)::fs::File::open',
    'open',
    'io\\.open',
    'os\\.(listdir|scandir|walk)',
    'shutil\\.copy(file|2|tree)?',
    'numpy\\.(load|loadtxt|genfromtxt|fromfile)',
    'pandas\\.read_\\w+',
    'PIL\\.Image\\.open',
    'cv2\\.imread',
    'torch\\.load',
    'joblib\\.load',
    'h5py\\.File',
    'xarray\\.open_\\w+',
    'soundfile\\.read',
    'imageio(\\.v\\d)?\\.imread',
    'skimage\\.io\\.imread',
    'geopandas\\.read_file',
    'cat',
    'source',
    '\\.',
    'cp',
  ].join('|')
})$`)
const BY_RECEIVER = /^(\?|pathlib\.Path)\.(read_text|read_bytes|iterdir|rglob)$/

/** The path that a call reads from; undefined where it reads none. */
export const readFrom = (
  call: Call,
): Value | undefined => BY_ARGUMENT.test(call.name) ? call.args[0] : BY_RECEIVER.test(call.name) ? call.receiver ?? undefined : undefined
