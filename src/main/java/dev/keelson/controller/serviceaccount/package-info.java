/**
 * Gives every namespace what pods in it need. Begin with {@link
 * dev.keelson.controller.serviceaccount.NamespaceDefaults}.
 */
@NullMarked
package dev.keelson.controller.serviceaccount;

import org.jspecify.annotations.NullMarked;
