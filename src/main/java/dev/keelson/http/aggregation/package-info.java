/**
 * The proxy to API servers behind this one (source: kube-aggregator's {@code handler_proxy.go}): a
 * request for a group version of a remote APIService passes the filter chain and then to the
 * service, with the user in request headers. Knows the connections of clients and {@code
 * aggregation}, no objects. Begin with {@link dev.keelson.http.aggregation.AggregationProxy}.
 */
@NullMarked
package dev.keelson.http.aggregation;

import org.jspecify.annotations.NullMarked;
