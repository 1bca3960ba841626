/** The lifecycle of namespaces: rejects creates in a namespace that is missing or terminating. */
@NullMarked
package dev.keelson.registry.namespace;

import org.jspecify.annotations.NullMarked;
