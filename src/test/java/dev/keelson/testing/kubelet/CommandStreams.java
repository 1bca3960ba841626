package dev.keelson.testing.kubelet;

/** The streams of a command towards the server, whatever the protocol. Blocking; any thread. */
interface CommandStreams {

  int STDIN = 0;
  int STDOUT = 1;
  int STDERR = 2;
  int ERROR = 3;
  int RESIZE = 4;

  /** Takes what the client sends, in order, on the event loop. */
  interface Input {

    /**
     * Bytes of stdin or resize.
     *
     * @param channel {@link #STDIN} or {@link #RESIZE}
     */
    void bytes(int channel, byte[] bytes);

    /** The client has ended a channel. */
    void end(int channel);

    /** The connection is gone. */
    void gone();
  }

  /** Sends; waits until the bytes are on their way. */
  void send(int channel, byte[] bytes);

  /** Ends a channel. */
  void end(int channel);

  /** Closes the connection. */
  void close();
}
