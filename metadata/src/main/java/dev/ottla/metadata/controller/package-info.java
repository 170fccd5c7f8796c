/// The controller: [dev.ottla.metadata.controller.Controller] turns a command into records and a
/// reply, and changes its state only by replaying records. A pure state machine: no threads, IO,
/// clock or random source; it runs wherever its caller does (the metadata thread). Imports `image`,
/// `config` and `wire`, never a generated message.
@NullMarked
package dev.ottla.metadata.controller;

import org.jspecify.annotations.NullMarked;
