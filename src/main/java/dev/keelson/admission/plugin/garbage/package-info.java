/**
 * The admission plugin for owner references, by which the garbage collector deletes objects and
 * holds back deletions. Begin with {@link
 * dev.keelson.admission.plugin.garbage.OwnerReferencesPermissionEnforcement}.
 */
@NullMarked
package dev.keelson.admission.plugin.garbage;

import org.jspecify.annotations.NullMarked;
