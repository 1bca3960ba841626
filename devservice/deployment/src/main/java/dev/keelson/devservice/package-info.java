/** A Dev Service of Quarkus: the server of keelson-junit for the extension kubernetes-client. */
package dev.keelson.devservice;
