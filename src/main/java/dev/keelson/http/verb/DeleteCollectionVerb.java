package dev.keelson.http.verb;

import dev.keelson.http.ApiResponse;
import dev.keelson.http.Query;
import dev.keelson.http.media.BodyWriter;
import dev.keelson.http.options.DeleteOptionsReader;
import dev.keelson.http.options.ListOptions;
import dev.keelson.http.options.QueryOptions;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.registry.read.Listing;
import dev.keelson.request.Spans;

/** Deletes the matching objects of a collection and returns their list. */
final class DeleteCollectionVerb implements VerbHandler {
  private final GenericRegistry registry;
  private final DeleteOptionsReader options;
  private final BodyWriter writer;
  private final int workers;

  /**
   * @param workers the number of objects of one request that are deleted concurrently
   */
  DeleteCollectionVerb(
      GenericRegistry registry, DeleteOptionsReader options, BodyWriter writer, int workers) {
    this.registry = registry;
    this.options = options;
    this.writer = writer;
    this.workers = workers;
  }

  @Override
  public ApiResponse handle(ResourceCall call) {
    DeleteOptionsReader.Options asked = options.readForCollection(call.request());
    Spans.event(BODY_READ);
    Spans.event("Decoded delete options");
    Query query = call.request().query();
    Spans.event("About to delete objects from database");
    Listing deleted =
        registry.deleteCollection(
            call.collection(),
            QueryOptions.selection(query),
            ListOptions.list(query),
            asked.query(),
            call.writeOptions(asked),
            workers);
    Spans.event("Objects deleted from database");
    return writer.list(call.request(), deleted);
  }
}
