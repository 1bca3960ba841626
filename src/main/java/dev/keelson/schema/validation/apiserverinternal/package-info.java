/**
 * Validates what API servers state of the versions in which they store objects
 * (pkg/apis/apiserverinternal/validation). Begin at {@link
 * dev.keelson.schema.validation.apiserverinternal.ApiServerInternalKinds}.
 */
@NullMarked
package dev.keelson.schema.validation.apiserverinternal;

import org.jspecify.annotations.NullMarked;
