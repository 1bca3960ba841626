package dev.keelson.http.endpoint;

import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;

/** The deprecated watches of the core group. */
@Path("/api/{version}/watch")
@Produces(ResponseWriter.TYPE)
@RunOnVirtualThread
@Singleton
public class CoreWatches extends WatchPaths {

  @Inject
  public CoreWatches(Api api) {
    super(api);
  }
}
