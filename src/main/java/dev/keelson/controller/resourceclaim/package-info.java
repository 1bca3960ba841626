/**
 * Makes the ResourceClaims of pods from templates, and ends reservations of pods that have ended.
 * Sees the API through the client only. Begin with {@link
 * dev.keelson.controller.resourceclaim.ResourceClaimController}.
 */
@NullMarked
package dev.keelson.controller.resourceclaim;

import org.jspecify.annotations.NullMarked;
