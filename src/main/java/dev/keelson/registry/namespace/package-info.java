/** Which namespaces exist, so that nothing is created in one that is missing or terminating. */
@NullMarked
package dev.keelson.registry.namespace;

import org.jspecify.annotations.NullMarked;
