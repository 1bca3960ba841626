/**
 * ValidatingAdmissionPolicy and MutatingAdmissionPolicy: policies and bindings indexed by what they
 * match, their parameters, their evaluation and its consequences (source:
 * apiserver/pkg/admission/plugin/policy). Begin with {@link
 * dev.keelson.admission.policy.ValidatingPolicies}.
 */
@NullMarked
package dev.keelson.admission.policy;

import org.jspecify.annotations.NullMarked;
