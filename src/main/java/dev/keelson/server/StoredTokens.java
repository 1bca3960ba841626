package dev.keelson.server;

import dev.keelson.controller.serviceaccount.TokenSource;
import dev.keelson.object.ApiObject;

/** Secrets and service accounts, from the watch cache. */
record StoredTokens(FollowedTypes<TokenSource.Kind> types) implements TokenSource {

  @Override
  public void listen(Runnable changed) {
    types.listen(changed);
  }

  @Override
  public void catchUp(Sink sink) {
    types.catchUp(
        new FollowedTypes.Sink<>() {
          @Override
          public void clear(Kind kind) {
            sink.clear(kind);
          }

          @Override
          public void put(Kind kind, ApiObject object) {
            sink.put(kind, object);
          }

          @Override
          public void remove(Kind kind, String namespace, String name) {
            sink.remove(kind, namespace, name);
          }
        });
  }
}
