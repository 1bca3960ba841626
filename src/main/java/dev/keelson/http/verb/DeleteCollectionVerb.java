package dev.keelson.http.verb;

import dev.keelson.http.ApiResponse;
import dev.keelson.http.Query;
import dev.keelson.http.media.BodyWriter;
import dev.keelson.http.options.DeleteOptionsReader;
import dev.keelson.http.options.ListOptions;
import dev.keelson.http.options.QueryOptions;
import dev.keelson.registry.generic.GenericRegistry;

/** Deletes the objects of a collection that match, and answers the list of them. */
final class DeleteCollectionVerb implements VerbHandler {
  private final GenericRegistry registry;
  private final DeleteOptionsReader options;
  private final BodyWriter writer;
  private final int workers;

  /**
   * The verb.
   *
   * @param workers how many objects of one request are deleted at the same time
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
    DeleteOptionsReader.Options asked = options.read(call.request());
    Query query = call.request().query();
    return writer.list(
        call.request(),
        registry.deleteCollection(
            call.collection(),
            QueryOptions.selection(query),
            ListOptions.list(query),
            asked.query(),
            call.writeOptions(asked.dryRun()),
            workers));
  }
}
