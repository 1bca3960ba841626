/**
 * Kubernetes' libraries for expressions: lists, regular expressions, quantities, addresses, URLs,
 * formats and versions. Begin with {@link dev.keelson.cel.library.Libraries}.
 */
@NullMarked
package dev.keelson.cel.library;

import org.jspecify.annotations.NullMarked;
