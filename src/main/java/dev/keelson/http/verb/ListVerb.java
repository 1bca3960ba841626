package dev.keelson.http.verb;

import dev.keelson.http.ApiResponse;
import dev.keelson.http.Query;
import dev.keelson.http.media.BodyWriter;
import dev.keelson.http.options.ListOptions;
import dev.keelson.http.options.QueryOptions;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.registry.read.Listing;
import dev.keelson.request.Spans;

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
    Spans.event("About to List from storage");
    Listing listing =
        registry.list(call.collection(), QueryOptions.selection(query), ListOptions.list(query));
    Spans.event("Listing from storage done");
    return writer.list(call.request(), listing);
  }
}
