package dev.keelson.controller.serviceaccount;

import dev.keelson.object.ObjectSink;

/** Supplies changes of Secrets and service accounts. */
public interface TokenSource {

  /** The kinds of objects. */
  enum Kind {
    SECRETS("secrets"),
    ACCOUNTS("serviceaccounts");

    private final String resource;

    Kind(String resource) {
      this.resource = resource;
    }

    /** The plural, in the core group. */
    public String resource() {
      return resource;
    }
  }

  /** Adds a listener that runs on any thread after changes. */
  void listen(Runnable changed);

  /** Passes the changes since the last call to {@code sink}, all objects on the first call. */
  void catchUp(ObjectSink<Kind> sink);
}
