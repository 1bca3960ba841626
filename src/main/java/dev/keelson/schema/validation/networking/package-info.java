/**
 * Validates ingresses, ingress classes, network policies, IP addresses and service CIDRs
 * (pkg/apis/networking/validation). Allocates no addresses. Begin at {@link
 * dev.keelson.schema.validation.networking.NetworkingKinds}.
 */
@NullMarked
package dev.keelson.schema.validation.networking;

import org.jspecify.annotations.NullMarked;
