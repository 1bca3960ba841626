/**
 * The client of the API for controllers: verbs on untyped objects over a transport, which is the
 * filter chain of the same process or HTTP. Begin with {@link dev.keelson.client.rest.ApiClient}.
 */
@NullMarked
package dev.keelson.client.rest;

import org.jspecify.annotations.NullMarked;
