package dev.keelson.controller.serviceaccount;

import dev.keelson.object.ObjectSink;

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

  /** Has {@code changed} run, on any thread, whenever there may be something new. */
  void listen(Runnable changed);

  /** Tells {@code sink} what has changed since the last call, everything in the first. */
  void catchUp(ObjectSink<Kind> sink);
}
