/**
 * What may still change or refuse a write after it is authorized and before it is validated and
 * stored. Begin with {@link dev.keelson.admission.Admission}.
 */
@NullMarked
package dev.keelson.admission;

import org.jspecify.annotations.NullMarked;
