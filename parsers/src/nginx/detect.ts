const configName = /\.(?:conf|vhost|nginx)(?:\.[\w-]+)*$/i;
const documentation = /\.(?:md|mdx|rst|adoc|html?|[cm]?[jt]sx?|py|go|rb|sh|ya?ml|json)$/i;
const ofNginx = /nginx|(?:^|\/)conf\.d\//i;
const siteName = /(?:^|\/)sites-(?:enabled|available)\/[^/]+$/;
const bareOrTemplate = /(?:^|\/)[^/.]+(?:\.(?:template|tmpl|tpl|j2|jinja2?|erb|ctmpl|mustache|inc|cfg))?$/i;

/** What only an nginx configuration says, at the start of a statement. */
const marks: readonly RegExp[] = [
  /(?:^|[;{}\s])(?:http|events|server)[ \t]{0,9}\r?\n?[ \t]{0,99}\{/,
  /(?:^|[;{}\s])upstream[ \t]{1,99}[\w.$<>%{}-]{1,200}[ \t]{0,9}\r?\n?[ \t]{0,99}\{/,
  /(?:^|[;{}\s])location[ \t]{1,99}[^;\n]{1,500}\{/,
  /(?:^|[;{}\s])(?:proxy|fastcgi|uwsgi|scgi|grpc)_pass[ \t]{1,99}[^;\n]{1,500};/,
  /(?:^|[;{}\s])(?:listen|server_name|proxy_set_header|worker_connections)[ \t]{1,99}[^;\n]{1,500};/,
  /(?:^|[;{}\s])map[ \t]{1,99}[^;\n]{0,200}\$[^;\n]{1,200}\{/,
];

const apache = /^[ \t]{0,99}(?:<\/?(?:VirtualHost|Directory|IfModule|Location|Files)\b|ProxyPass(?:Reverse)?[ \t])/im;

/** Whether a file of this name may be an nginx configuration, so that its content is worth a look. */
export function mayBeNginx(path: string): boolean {
  if (siteName.test(path)) return true;
  return !documentation.test(path) && (configName.test(path) || (ofNginx.test(path) && bareOrTemplate.test(path)));
}

/** Whether a file is an nginx configuration or a piece of one; the less its name says, the more its content must. */
export function looksLikeNginx(path: string, content: string): boolean {
  if (!mayBeNginx(path) || content.startsWith('#!') || apache.test(content)) return false;
  const needed = configName.test(path) && ofNginx.test(path) ? 1 : 2;
  return marks.filter((mark) => mark.test(content)).length >= needed;
}
