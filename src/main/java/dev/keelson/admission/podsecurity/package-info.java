/**
 * Pod Security: the levels privileged, baseline and restricted of the Pod Security Standards in
 * every version, which the labels of a namespace choose (KEP-2579, source: {@code
 * k8s.io/pod-security-admission}). Begin with {@link
 * dev.keelson.admission.podsecurity.PodSecurity}; the rules are in {@link
 * dev.keelson.admission.podsecurity.CheckCatalog}.
 */
@NullMarked
package dev.keelson.admission.podsecurity;

import org.jspecify.annotations.NullMarked;
