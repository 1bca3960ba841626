/**
 * Keeps the pods of StatefulSets with their names, their order and their volume claims. Begin with
 * {@link dev.keelson.controller.statefulset.StatefulSetController}; one look at a StatefulSet is
 * {@code StatefulSync}. Sees the API through the client only.
 */
@NullMarked
package dev.keelson.controller.statefulset;

import org.jspecify.annotations.NullMarked;
