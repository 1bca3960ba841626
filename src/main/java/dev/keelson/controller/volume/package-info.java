/**
 * Binds PersistentVolumeClaims to PersistentVolumes and makes the claims of ephemeral volumes. Sees
 * the API through the client only; makes and deletes no storage, which external provisioners do.
 * Begin with {@link dev.keelson.controller.volume.VolumeBinder}.
 */
@NullMarked
package dev.keelson.controller.volume;

import org.jspecify.annotations.NullMarked;
