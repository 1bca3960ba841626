/**
 * The built-in admission plugins, with their names in Kubernetes. Begin with {@link
 * dev.keelson.admission.plugin.PluginChain}.
 */
@NullMarked
package dev.keelson.admission.plugin;

import org.jspecify.annotations.NullMarked;
