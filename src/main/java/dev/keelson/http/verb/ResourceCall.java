package dev.keelson.http.verb;

import dev.keelson.http.ApiRequest;
import dev.keelson.http.Exchange;
import dev.keelson.http.options.QueryOptions;
import dev.keelson.registry.Collection;
import dev.keelson.registry.WriteOptions;
import dev.keelson.request.RequestInfo;
import dev.keelson.schema.ResourceDefinition;

/**
 * A request for a resource that is served.
 *
 * @param exchange the request
 * @param info its path
 * @param definition the resource in the version of the path
 * @param creation throws if the user may not create the object of the path
 */
record ResourceCall(
    Exchange exchange,
    RequestInfo.Resource info,
    ResourceDefinition definition,
    Runnable creation) {

  /** A request of somebody who may create what is not there. */
  ResourceCall(Exchange exchange, RequestInfo.Resource info, ResourceDefinition definition) {
    this(exchange, info, definition, () -> {});
  }

  ApiRequest request() {
    return exchange.request();
  }

  /**
   * The collection of the path. The path of a cluster-scoped object named by {@code namespaces/x}
   * has no namespace.
   */
  Collection collection() {
    return new Collection(definition, definition.namespaced() ? info.namespace() : "");
  }

  /**
   * What goes with a write by the query: {@code dryRun}, {@code fieldManager}.
   *
   * @throws dev.keelson.api.ApiException of reason BadRequest or Invalid for a value that is none
   */
  WriteOptions writeOptions() {
    return QueryOptions.write(exchange, info.verb(), creation);
  }

  /** What goes with a write whose dry run is known. */
  WriteOptions writeOptions(boolean dryRun) {
    return QueryOptions.write(exchange, dryRun, creation);
  }

  /** The same call about another definition, such as that of a subresource. */
  ResourceCall with(ResourceDefinition other) {
    return new ResourceCall(exchange, info, other, creation);
  }
}
