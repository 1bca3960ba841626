package dev.keelson.http.endpoint;

import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;

/** The deprecated watches of the named groups. */
@Path("/apis/{group}/{version}/watch")
@Produces(ResponseWriter.TYPE)
@RunOnVirtualThread
@Singleton
public class GroupWatches extends WatchPaths {

  @Inject
  public GroupWatches(Api api) {
    super(api);
  }
}
