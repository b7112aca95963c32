// What --fix writes, run by the real runners: it compiles, and the risk is gone.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'

const bin = fileURLToPath(new URL('../../bin/flakesniff.js', import.meta.url))

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flakesniff-fixed-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (path: string, text: string) => writeFileSync(join(folder, path), text)

function start(program: string, args: readonly string[]): { status: number | null; out: string } {
  const run = spawnSync(program, args, { cwd: folder, encoding: 'utf8', env: { ...process.env, GOFLAGS: '-mod=mod' } })
  if (run.error) throw new Error(`${program} is needed for this test: ${run.error.message}`)
  return { status: run.status, out: run.stdout + run.stderr }
}

/** The statuses of a runner before and after everything safe was fixed. */
function beforeAndAfter(program: string, args: readonly string[]): (number | null)[] {
  const before = start(program, args)
  const fix = start(process.execPath, [bin, '--fix', '--preset', 'strict', '--fail-on', 'never'])
  expect(fix.out).toContain('applied')
  const after = start(program, args)
  return [before.status, after.status]
}

test('Go: a variable is put back, and a file that no longer needs os compiles', () => {
  write('go.mod', 'module shop\n\ngo 1.20\n')
  write('price.go', 'package shop\n\nimport "os"\n\nfunc Discount() string { return os.Getenv("SHOP_DISCOUNT") }\n')
  write('price_test.go', `package shop

import (
	"os"
	"testing"
)

func TestDiscount(t *testing.T) {
	os.Setenv("SHOP_DISCOUNT", "10")
	if Discount() != "10" {
		t.Fatal("no discount")
	}
}

func TestNoDiscount(t *testing.T) {
	if Discount() != "" {
		t.Fatal("a discount was left behind")
	}
}
`)
  expect(beforeAndAfter('go', ['test', './...'])).toEqual([1, 0])
  expect(readFileSync(join(folder, 'price_test.go'), 'utf8')).not.toContain('"os"')
})

test('pytest: the environment and the working directory are put back', () => {
  const made = start('python3', ['-m', 'venv', '.venv'])
  expect(made.status, made.out).toBe(0)
  const installed = start(join(folder, '.venv/bin/pip'), ['install', '--quiet', 'pytest'])
  expect(installed.status, installed.out).toBe(0)
  write('test_price.py', `import os


def test_discount():
    os.environ["SHOP_DISCOUNT"] = "10"
    assert os.environ["SHOP_DISCOUNT"] == "10"


def test_export(tmp_path):
    os.chdir(tmp_path)
    assert os.getcwd() == str(tmp_path)


def test_left_behind(request):
    assert "SHOP_DISCOUNT" not in os.environ
    assert os.getcwd() == str(request.config.invocation_params.dir)
`)
  expect(
    beforeAndAfter(join(folder, '.venv/bin/python'), [
      '-m',
      'pytest',
      '-q',
      '-p',
      'no:cacheprovider',
      '-p',
      'no:randomly',
      'test_price.py',
    ]),
  ).toEqual([1, 0])
})

test('bats: a denied command that succeeds fails its test', () => {
  write('shop.bats', `@test "no errors" {
  echo "error: tea" > "$BATS_TEST_TMPDIR/log"
  ! grep -q error "$BATS_TEST_TMPDIR/log"
  [ -f "$BATS_TEST_TMPDIR/log" ]
}
`)
  expect(beforeAndAfter('bats', ['shop.bats'])).toEqual([0, 1])
})

test('bats: one that fails, in each way it is written, still passes', () => {
  write('shop.bats', `@test "no errors" {
  echo fine > "$BATS_TEST_TMPDIR/log"
  ! grep -q error "$BATS_TEST_TMPDIR/log"
  ! cat "$BATS_TEST_TMPDIR/log" | grep -q error
  ! [ -f "$BATS_TEST_TMPDIR/other" ]
  ! [[ "$(cat "$BATS_TEST_TMPDIR/log")" == error* ]]
  rm -rf "$BATS_TEST_TMPDIR/none" || true
  [ -f "$BATS_TEST_TMPDIR/log" ]
}
`)
  expect(beforeAndAfter('bats', ['shop.bats'])).toEqual([0, 0])
  expect(readFileSync(join(folder, 'shop.bats'), 'utf8')).toBe(`bats_require_minimum_version 1.5.0

@test "no errors" {
  echo fine > "$BATS_TEST_TMPDIR/log"
  run ! grep -q error "$BATS_TEST_TMPDIR/log"
  ! cat "$BATS_TEST_TMPDIR/log" | grep -q error || false
  [ ! -f "$BATS_TEST_TMPDIR/other" ]
  [[ ! "$(cat "$BATS_TEST_TMPDIR/log")" == error* ]]
  rm -rf "$BATS_TEST_TMPDIR/none"
  [ -f "$BATS_TEST_TMPDIR/log" ]
}
`)
})
