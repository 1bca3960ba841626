/**
 * The admission steps that are built in, under the names that they have in Kubernetes. Begin with
 * {@link dev.keelson.admission.plugin.PluginChain}.
 */
@NullMarked
package dev.keelson.admission.plugin;

import org.jspecify.annotations.NullMarked;
