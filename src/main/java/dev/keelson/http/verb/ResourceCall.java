package dev.keelson.http.verb;

import dev.keelson.http.ApiRequest;
import dev.keelson.http.Exchange;
import dev.keelson.http.options.DeleteOptionsReader;
import dev.keelson.http.options.QueryOptions;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.Collection;
import dev.keelson.registry.WriteOptions;
import dev.keelson.request.RequestInfo;
import dev.keelson.schema.ResourceDefinition;

/**
 * A request for a served resource.
 *
 * @param exchange the request
 * @param info the request info
 * @param definition the resource in the version of the path
 * @param creation throws if the user may not create the object of the path
 */
record ResourceCall(
    Exchange exchange,
    RequestInfo.Resource info,
    ResourceDefinition definition,
    Runnable creation) {

  /** A request of a user who is allowed to create the object. */
  ResourceCall(Exchange exchange, RequestInfo.Resource info, ResourceDefinition definition) {
    this(exchange, info, definition, () -> {});
  }

  ApiRequest request() {
    return exchange.request();
  }

  /** The collection of the path. The namespace is empty for {@code namespaces/x}. */
  Collection collection() {
    return new Collection(definition, definition.namespaced() ? info.namespace() : "");
  }

  /**
   * Parses the write options of the query: {@code dryRun}, {@code fieldManager}. @throws
   * dev.keelson.api.ApiException of reason BadRequest or Invalid for an invalid value
   */
  WriteOptions writeOptions() {
    return QueryOptions.write(exchange, info.verb(), creation);
  }

  /** The write options of a connection, which has none of a client. */
  WriteOptions connectOptions() {
    return QueryOptions.write(exchange, info.verb(), /* dryRun= */ false, MapNode.EMPTY, creation);
  }

  /** The write options of a delete. */
  WriteOptions writeOptions(DeleteOptionsReader.Options asked) {
    return QueryOptions.write(exchange, info.verb(), asked.dryRun(), asked.sent(), creation);
  }

  /** Returns this call with another definition, such as that of a subresource. */
  ResourceCall with(ResourceDefinition other) {
    return new ResourceCall(exchange, info, other, creation);
  }
}
