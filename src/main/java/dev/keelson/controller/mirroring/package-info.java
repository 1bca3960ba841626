/**
 * Mirrors Endpoints that users keep for Services without a selector to EndpointSlices, which is
 * what proxies read. Sees the API through the client only. Begin with {@link
 * dev.keelson.controller.mirroring.EndpointSliceMirroringController}.
 */
@NullMarked
package dev.keelson.controller.mirroring;

import org.jspecify.annotations.NullMarked;
