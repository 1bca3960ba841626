package dev.keelson.controller.serviceaccount;

import dev.keelson.object.ApiObject;

/** Tells of Secrets and service accounts. */
public interface TokenSource {

  /** What is told of. */
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

  /** Takes changes. Called by one thread at a time. */
  interface Sink {

    /** Every object of a kind is about to be told anew. */
    void clear(Kind kind);

    /** An object as it now is. */
    void put(Kind kind, ApiObject object);

    /** An object is gone. */
    void remove(Kind kind, String namespace, String name);
  }

  /** Has {@code changed} run, on any thread, whenever there may be something new. */
  void listen(Runnable changed);

  /** Tells {@code sink} what has changed since the last call, everything in the first. */
  void catchUp(Sink sink);
}
