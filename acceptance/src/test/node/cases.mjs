// The frame of the Node cases: each case runs once and prints one line.

import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual, inspect } from 'node:util'

export const bootstrap = process.env.BOOTSTRAP
const run = randomUUID().slice(0, 8)
const all = []
let names = 0

export function test (name, body) {
  all.push({ name, body })
}

/// A name that nothing else uses.
export function fresh (prefix) {
  return `${prefix}-${run}-${++names}`
}

export function equal (actual, expected) {
  if (!isDeepStrictEqual(actual, expected)) {
    throw new Error(`expected ${inspect(expected)}, got ${inspect(actual)}`)
  }
}

export async function fails (promise, pattern) {
  try {
    await promise
  } catch (error) {
    const text = inspect(error, { depth: 6 })
    if (!pattern.test(text)) throw error
    return
  }
  throw new Error(`expected a failure with ${pattern}`)
}

/// Waits for a condition with a deadline.
export async function until (what, condition, seconds = 40) {
  const deadline = Date.now() + seconds * 1000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not within ${seconds} s: ${what}`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

export function numbers (count) {
  return Array.from({ length: count }, (_, i) => String(i))
}

export async function runAll () {
  let failed = 0
  for (const { name, body } of all) {
    const started = Date.now()
    let timer
    const late = new Promise((resolve, reject) => {
      timer = setTimeout(() => reject(new Error('the case takes longer than a minute')), 60_000)
    })
    try {
      await Promise.race([body(), late])
      console.log(`PASS ${name} ${(Date.now() - started) / 1000}s`)
    } catch (error) {
      failed++
      console.log(`FAIL ${name} ${inspect(error, { depth: 4 }).replaceAll(/\s+/g, ' ').slice(0, 500)}`)
    } finally {
      clearTimeout(timer)
    }
  }
  console.log(`DONE ${all.length}`)
  process.exit(failed === 0 ? 0 : 1)
}
