/**
 * Validates webhook configurations, admission policies and their bindings
 * (pkg/apis/admissionregistration/validation). Expressions are compiled by an interface. Begin at
 * {@link dev.keelson.schema.validation.admissionregistration.AdmissionRegistrationKinds}.
 */
@NullMarked
package dev.keelson.schema.validation.admissionregistration;

import org.jspecify.annotations.NullMarked;
