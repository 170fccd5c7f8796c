/// What a request is to the code that answers it: the handler interface {@link
/// dev.ottla.broker.request.ApiHandler}, the surroundings of one request, the way to answer it, and
/// record payloads that live in files. Handlers are called on network loops and answer from any
/// thread. Imports neither the network nor anything that handlers use.
@NullMarked
package dev.ottla.broker.request;

import org.jspecify.annotations.NullMarked;
