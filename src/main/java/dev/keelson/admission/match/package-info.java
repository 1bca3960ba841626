/**
 * Which requests a webhook or a policy is for: rules of groups, versions, resources, operations and
 * names, the match policy, and selectors of namespaces and objects (source:
 * apiserver/pkg/admission/plugin/policy/matching and webhook/predicates). Knows no webhook and no
 * policy. Begin with {@link dev.keelson.admission.match.ResourceMatcher}.
 */
@NullMarked
package dev.keelson.admission.match;

import org.jspecify.annotations.NullMarked;
