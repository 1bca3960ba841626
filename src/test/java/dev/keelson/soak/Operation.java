package dev.keelson.soak;

/**
 * An operation of a client on one object, or a list, with its answer.
 *
 * @param begun {@link System#nanoTime} before the request was sent
 * @param ended {@link System#nanoTime} after the answer was read; it has no meaning for an {@link
 *     Unknown} outcome, since such an operation may take effect at any later time
 */
record Operation(Call call, Outcome outcome, long begun, long ended) {

  /** A request. */
  sealed interface Call {

    /** Namespace and name; empty for a list. */
    String key();
  }

  /** A request that sets an object's value. */
  sealed interface Change extends Call {

    /** The content that the request writes; unique in a run. */
    String token();
  }

  /** A POST. */
  record Create(String key, String token) implements Change {}

  /**
   * A PUT.
   *
   * @param expected the resourceVersion that it requires, or 0
   */
  record Update(String key, String token, long expected) implements Change {}

  /**
   * A PATCH of the token alone.
   *
   * @param expected the resourceVersion that it requires, or 0
   */
  record Patch(String key, String token, long expected) implements Change {}

  /**
   * A DELETE.
   *
   * @param expected the resourceVersion that it requires, or 0
   */
  record Delete(String key, long expected) implements Call {}

  /** A GET of the newest state. */
  record Get(String key) implements Call {}

  /** A list of the newest state. */
  record ListAll() implements Call {
    @Override
    public String key() {
      return "";
    }
  }

  /**
   * The content of an object.
   *
   * @param token what the last write set
   * @param base what the last create or update set, which a patch leaves as it is
   */
  record Value(String uid, String token, String base) {}

  /** What a client knows of an operation afterwards. */
  sealed interface Outcome {}

  /** A successful change, which is the state of this revision. */
  record Written(long revision, Value value) implements Outcome {}

  /**
   * A successful deletion. Two of them may share one deletion if both were in flight at that
   * moment: a server that gets no answer from etcd sees that the object is gone, not by whom.
   */
  record Deleted(String uid) implements Outcome {}

  /**
   * A read.
   *
   * @param revision the object's resourceVersion, or 0 if there was none
   */
  record Found(long revision) implements Outcome {}

  /** A list of the state at a revision. */
  record Listed(long revision) implements Outcome {}

  /** A request that changed nothing. */
  record Refused(Reason reason) implements Outcome {}

  /** No answer, or one that does not say whether the request took effect. */
  record Unknown() implements Outcome {}

  /** Why a request changed nothing. */
  enum Reason {
    /** The object to be created existed. */
    EXISTS,
    /** There was no such object. */
    ABSENT,
    /** The object had not the required resourceVersion. */
    CONFLICT,
    /** The request reached no server, or the server refused it before it looked at it. */
    NOT_TRIED
  }
}
