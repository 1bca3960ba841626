/**
 * The controllers of APIServices: one creates those of the group versions that this server serves,
 * as kube-aggregator's autoregister controller does, the other one judges whether those of remote
 * servers are available. They know {@code aggregation} and the client only. Begin with {@link
 * dev.keelson.controller.aggregation.AutoRegistration}.
 */
@NullMarked
package dev.keelson.controller.aggregation;

import org.jspecify.annotations.NullMarked;
