/**
 * Create, update and delete: metadata rules, preconditions, grace periods, finalizers, conflicts.
 * One class a verb; {@link dev.keelson.registry.write.WriteSteps} names what an object passes on
 * its way. Begin with {@link dev.keelson.registry.write.Creation}.
 */
@NullMarked
package dev.keelson.registry.write;

import org.jspecify.annotations.NullMarked;
