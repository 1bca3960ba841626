package dev.keelson.http.verb;

import dev.keelson.http.ApiResponse;
import dev.keelson.http.Query;
import dev.keelson.http.media.BodyWriter;
import dev.keelson.http.options.ListOptions;
import dev.keelson.http.options.QueryOptions;
import dev.keelson.registry.generic.GenericRegistry;

/** Lists the objects of a namespace or of all namespaces. */
final class ListVerb implements VerbHandler {
  private final GenericRegistry registry;
  private final BodyWriter writer;

  ListVerb(GenericRegistry registry, BodyWriter writer) {
    this.registry = registry;
    this.writer = writer;
  }

  @Override
  public ApiResponse handle(ResourceCall call) {
    Query query = call.request().query();
    return writer.list(
        call.request(),
        registry.list(call.collection(), QueryOptions.selection(query), ListOptions.list(query)));
  }
}
