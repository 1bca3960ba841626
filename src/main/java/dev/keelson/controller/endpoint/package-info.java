/**
 * Keeps the EndpointSlices and Endpoints of Services: the addresses of the pods that a Service
 * selects.
 */
@NullMarked
package dev.keelson.controller.endpoint;

import org.jspecify.annotations.NullMarked;
