/**
 * What objects must keep to beyond their shape: required fields, known values, formats, ranges,
 * rules across fields, and what an update may change. Every broken rule is reported with its field
 * path. Knows trees and schemas, nothing of requests or stores; begin at {@link
 * dev.keelson.schema.validation.ObjectValidation}.
 */
@NullMarked
package dev.keelson.schema.validation;

import org.jspecify.annotations.NullMarked;
