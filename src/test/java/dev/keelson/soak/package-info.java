/**
 * A consistency checker of reads and watches: random clients under faults, whose observations must
 * be consistent with one recorded history.
 */
@NullMarked
package dev.keelson.soak;

import org.jspecify.annotations.NullMarked;
