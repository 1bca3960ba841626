/**
 * Create, update and delete: metadata rules, preconditions, grace periods, finalizers, conflicts.
 * One class a verb; {@link dev.keelson.registry.write.WriteSteps} lists the steps of a write. Begin
 * with {@link dev.keelson.registry.write.Creation}.
 */
@NullMarked
package dev.keelson.registry.write;

import org.jspecify.annotations.NullMarked;
