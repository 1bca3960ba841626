/** What is special about certificate signing requests. */
@NullMarked
package dev.keelson.registry.certificates;

import org.jspecify.annotations.NullMarked;
