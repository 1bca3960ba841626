/**
 * Admission: mutates or rejects a write after authorization and before it is stored. Begin with
 * {@link dev.keelson.admission.Admission}.
 */
@NullMarked
package dev.keelson.admission;

import org.jspecify.annotations.NullMarked;
