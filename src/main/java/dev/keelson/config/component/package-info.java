/**
 * Flags of the components that run in the server or alone, {@code keelson controllers} and {@code
 * keelson scheduler}, with the names and defaults of Kubernetes' components. Begin with {@link
 * dev.keelson.config.component.ComponentFlags}.
 */
@NullMarked
package dev.keelson.config.component;

import org.jspecify.annotations.NullMarked;
