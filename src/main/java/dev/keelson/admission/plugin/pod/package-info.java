/**
 * Admission plugins for pods: service accounts, priority, tolerations, runtime classes, images.
 * Begin with {@link dev.keelson.admission.plugin.pod.Pods}.
 */
@NullMarked
package dev.keelson.admission.plugin.pod;

import org.jspecify.annotations.NullMarked;
