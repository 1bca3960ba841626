/**
 * Deletes finished Jobs some time after their end. Sees the API through the client only. Begin with
 * {@link dev.keelson.controller.ttlafterfinished.TtlAfterFinishedController}.
 */
@NullMarked
package dev.keelson.controller.ttlafterfinished;

import org.jspecify.annotations.NullMarked;
