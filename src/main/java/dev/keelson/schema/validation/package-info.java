/**
 * Validates objects beyond their shape: required fields, known values, formats, ranges, rules
 * across fields, and what an update may change. This package has what all groups share: values with
 * their paths and causes, formats, labels, the rules that schemas declare, and the order in which
 * rules run; each API group has a package below. Knows trees and schemas, nothing of requests or
 * stores. Begin at {@link dev.keelson.schema.validation.ObjectValidation}, then {@link
 * dev.keelson.schema.validation.KindRules}.
 */
@NullMarked
package dev.keelson.schema.validation;

import org.jspecify.annotations.NullMarked;
