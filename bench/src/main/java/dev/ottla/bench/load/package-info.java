/// The load generator: open loop, many connections, one thread, as little work a byte as can be.
///
/// Main types: [LoadLoop] (the thread and its sockets), [Producers] and [Consumers] (what is asked
/// of the broker), [OrderChecker] (whether every record was stored once and in order). Requests are
/// prepared once and sent again and again; a few fields are patched, see [PreparedProduce]. Latency
/// counts from the moment at which a request was meant to leave, so a broker that stalls pays for
/// all that wait behind. Everything belongs to the thread that runs the loop. Imports nothing of
/// the other packages of the harness but `client`.
@NullMarked
package dev.ottla.bench.load;

import org.jspecify.annotations.NullMarked;
