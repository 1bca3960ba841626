/**
 * Server-specific controllers: the leases and endpoints of the servers of one store, and the
 * observer of namespace defaults. Begin with {@link dev.keelson.server.controller.ServerEndpoints}.
 */
@NullMarked
package dev.keelson.server.controller;

import org.jspecify.annotations.NullMarked;
