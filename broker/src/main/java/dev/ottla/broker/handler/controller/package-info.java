/// What the active controller answers to brokers and to forwarded requests: one class per API, as
/// in the other handlers. On a node that is not the controller they answer NOT_CONTROLLER, and the
/// asker goes on to the next one.
@NullMarked
package dev.ottla.broker.handler.controller;

import org.jspecify.annotations.NullMarked;
